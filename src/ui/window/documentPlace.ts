/** The location of a document's resource: the ids that lead to it, the outermost first. */
export type DocumentPlace =
  | { readonly kind: 'deployment'; readonly ids: readonly [deployment: string] }
  | { readonly kind: 'revision'; readonly ids: readonly [deployment: string, revision: string] }
  /** A revision beside another one, without what always differs. */
  | { readonly kind: 'comparedRevision'; readonly ids: readonly [deployment: string, revision: string] }
  | { readonly kind: 'listener'; readonly ids: readonly [listener: string] }
  | { readonly kind: 'installation'; readonly ids: readonly [installation: string] }
  | { readonly kind: 'repository'; readonly ids: readonly [installation: string, repository: string] }
  | { readonly kind: 'agentConnection'; readonly ids: readonly [agent: string, connection: string] };

/** The resource that a read-only document shows. */
export interface DocumentSubject {
  readonly connection: string;
  readonly place: DocumentPlace;
}

/** Parses a place from a URI, which may be typed, restored or shared. */
export function parsePlace(kind: unknown, ids: unknown): DocumentPlace | undefined {
  if (!Array.isArray(ids)) return undefined;
  const [first, second]: readonly unknown[] = ids;
  if (typeof first !== 'string') return undefined;
  switch (kind) {
    case 'deployment':
    case 'listener':
    case 'installation':
      return { kind, ids: [first] };
    case 'revision':
    case 'comparedRevision':
    case 'repository':
    case 'agentConnection':
      return typeof second === 'string' ? { kind, ids: [first, second] } : undefined;
    default:
      return undefined;
  }
}
