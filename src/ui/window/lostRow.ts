/**
 * Whether a row command lost its row because VS Code was redrawing it.
 * VS Code then passes undefined in place of the row; without any row, as in the Command Palette, it passes no
 * arguments. The selected row may be a different one, so the command must not use it.
 */
export function isRowLost(args: readonly unknown[]): boolean {
  return args.length > 0 && args[0] === undefined;
}
