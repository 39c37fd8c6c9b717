/** docs/FIRST_MINUTE.md holds the results of several measurements, each in its own section. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export const docs = fileURLToPath(new URL('../../../docs/', import.meta.url));

/** Replaces the text under this heading; other sections stay as they are. */
export async function writeSection(heading: string, text: string): Promise<void> {
  const file = `${docs}FIRST_MINUTE.md`;
  const [head = '', ...sections] = (await readFile(file, 'utf8')).split(/^## /m);
  const at = sections.findIndex((section) => section.startsWith(`${heading}\n`));
  const section = `${heading}\n\n${text.trim()}\n\n`;
  if (at < 0) sections.push(section);
  else sections[at] = section;
  await writeFile(file, `${[head, ...sections].map((one) => one.trim()).join('\n\n## ')}\n`);
}
