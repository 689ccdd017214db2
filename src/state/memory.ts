/** Values that outlive the window; `vscode.Memento` satisfies it. What comes back is parsed by the reader. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}
