/**
 * Keeps text up to date while the browser translates the page. A translator replaces text nodes by <font>
 * elements. Code that holds a text node (Svelte does, for every {expression}) then writes to a node that is
 * no longer visible, and breaks when it removes blocks whose first or last node is gone.
 *
 * So each removed text node is put back, empty, before its translation. When something is written to it, or
 * it is moved or removed, that is noticed, and its translation is deleted. The translator then finds new
 * text and translates that.
 *
 *   const stop = surviveTranslation(document.body)
 *
 * It supports translators that use <font> (Chrome, Edge and Google). Without a translation it costs one
 * check per change.
 */
interface Translation {
  /** The original text. */
  original: string;
  font: Element;
}

const isFont = (node: Node | null): node is Element => node?.nodeName === 'FONT';
const isText = (node: Node): node is Text => node.nodeType === Node.TEXT_NODE;

export function surviveTranslation(root: Node): () => void {
  const translations = new Map<Text, Translation>();
  /** Our own writes, to be ignored. */
  const ours = new Map<Text, number>();

  function write(node: Text, data: string): void {
    ours.set(node, (ours.get(node) ?? 0) + 1);
    node.data = data;
  }

  /** New elements that are not linked to a text yet. */
  const fresh = new Set<Node>();

  /** Which translation replaced a removed text node. */
  function translationOf(record: MutationRecord): Element | undefined {
    const near = [...record.addedNodes, record.previousSibling, record.nextSibling];
    return near.filter(isFont).find((font) => fresh.has(font));
  }

  function takenOut(node: Text, record: MutationRecord): void {
    const font = translationOf(record);
    if (font === undefined || !font.isConnected || node.data.trim() === '') return;
    if (font.contains(node))
      node.replaceWith(node.cloneNode()); // it was wrapped, not replaced
    else if (node.isConnected) return;
    fresh.delete(font);
    translations.set(node, { original: node.data, font });
    font.before(node);
    write(node, ''); // here, because only here it is visible
  }

  /** Where the text of a translation went. */
  function settle(node: Text, { original, font }: Translation): void {
    if (node.isConnected && font.isConnected) {
      if (node.nextSibling !== font) node.after(font);
      return;
    }
    translations.delete(node);
    if (node.isConnected)
      write(node, original); // the translator put it back
    else font.remove();
  }

  function written(node: Text): void {
    const own = ours.get(node) ?? 0;
    if (own > 1) ours.set(node, own - 1);
    else ours.delete(node);
    if (own > 0) return;
    translations.get(node)?.font.remove();
    translations.delete(node);
  }

  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes) if (isFont(node)) fresh.add(node);
    for (const record of records) {
      if (record.type === 'characterData') {
        if (isText(record.target)) written(record.target);
        continue;
      }
      for (const node of record.removedNodes)
        if (isText(node) && !translations.has(node)) takenOut(node, record);
    }
    fresh.clear();
    for (const [node, translation] of translations) settle(node, translation);
  });
  observer.observe(root, { childList: true, characterData: true, subtree: true });
  return () => {
    observer.disconnect();
  };
}
