/**
 * Whether a command of the menus of rows was not told which row is meant. VS Code gives nothing in the place of a row that it
 * is drawing anew at that moment; where there is no row, as in the palette, it gives no arguments at all. What is
 * selected is another row then, to which nothing must happen.
 */
export function isRowLost(args: readonly unknown[]): boolean {
  return args.length > 0 && args[0] === undefined;
}
