import type { Locator } from 'playwright-core';

/**
 * The visible rows of a tree as text, one a line: indented by level, `▾` open, `▸` closed, `-` without children, then
 * the label and the description as they stand on the screen.
 */
export async function treePicture(tree: Locator): Promise<string> {
  // Only the rows of the list: those that stick to the top while the tree is scrolled are copies of them.
  const rows = await tree.locator('.monaco-list-rows > [role=treeitem]').evaluateAll((elements) =>
    elements.map((element) => ({
      index: Number(element.getAttribute('data-index')),
      level: Number(element.getAttribute('aria-level')),
      expanded: element.getAttribute('aria-expanded'),
      label: element.querySelector('.label-name')?.textContent ?? element.textContent ?? '',
      description: element.querySelector('.label-description')?.textContent ?? '',
    })),
  );
  return rows
    .toSorted((a, b) => a.index - b.index)
    .map(({ level, expanded, label, description }) => {
      const sign = expanded === null ? '-' : expanded === 'true' ? '▾' : '▸';
      return `${'  '.repeat(level - 1)}${sign} ${[label, description].filter(Boolean).join(' ')}`;
    })
    .join('\n');
}
