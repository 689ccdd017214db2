/** A part of a page that shows an item, and later states of the same item. */
interface Part<Item> {
  readonly node: Element;
  readonly render: (item: Item) => void;
}

/** Shows items as the children of a node. An item that stays keeps its child, and the focus that is in it. */
export function keyedList<Item, ItemPart extends Part<Item>>(
  node: Element,
  keyOf: (item: Item) => string,
  create: (item: Item) => ItemPart,
) {
  let parts = new Map<string, ItemPart>();
  return {
    node,
    parts: (): readonly ItemPart[] => [...parts.values()],
    render: (items: readonly Item[]): void => {
      const before = parts;
      parts = new Map();
      const shown = items.map((item) => {
        let key = keyOf(item);
        while (parts.has(key)) key += '+';
        const part = before.get(key) ?? create(item);
        parts.set(key, part);
        return { item, part };
      });
      for (const [key, part] of before) if (!parts.has(key)) part.node.remove();
      place(node, [...parts.values()]);
      for (const { item, part } of shown) part.render(item);
    },
  };
}

/** Moves only the nodes that aren't in their place, because a node that is moved loses the focus. */
function place(list: Element, parts: readonly { readonly node: Element }[]): void {
  let next = list.firstElementChild;
  for (const { node } of parts) {
    if (node === next) next = next.nextElementSibling;
    else list.insertBefore(node, next);
  }
}
