/** Whatever file is chosen, the answer is a sentence, and comes without the server. */
import { expect, test } from 'vitest';
import { checkGame, textOf } from './chosen-file';

const head = '{"game":"flood_it","rules_version":1}\n';
const no = 'This is not a game’s file. A replay writes one with “Save file”.';

test.each([
  ['empty', new Blob([]), 'This file is empty.'],
  [
    'too large',
    new Blob([head, 'x'.repeat(20_000_000)]),
    'This file is too large to be a game’s file.',
  ],
  ['a picture', new Blob([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255, 254])]), no],
  ['blank lines', new Blob(['\n\n\n']), no],
  ['a list', new Blob(['[1]\n']), no],
  ['something else of ours', new Blob(['{"boardwalk":1,"kept":{}}\n']), no],
])('%s', async (_, file, words) => {
  await expect(checkGame(file)).rejects.toThrow(words);
});

test('a game passes, whatever the name of its file', async () => {
  await expect(checkGame(new File([head], 'game.txt'))).resolves.toBeUndefined();
});

test('a folder, or a file that is gone', async () => {
  const folder = new Blob(['x']);
  folder.text = () => Promise.reject(new DOMException('gone', 'NotFoundError'));
  await expect(textOf(folder, 9, 'x')).rejects.toThrow(/^This file cannot be read/);
});
