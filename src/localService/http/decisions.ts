/**
 * The decisions of this service where the API document is silent or says "not shown".
 * The OpenAPI description lists all of them.
 */
export const decisions: readonly { readonly topic: string; readonly decision: string }[] = [
  {
    topic: 'Nothing runs',
    decision:
      'No containers are started. For a repository the build is rehearsed: the ref is resolved with git in the registered clone, and the config file of that commit must be readable and name at least one graph whose file exists. custom_url is kept as it was sent.',
  },
  {
    topic: 'Authentication',
    decision:
      'Every request but the one for a proof of identity carries the key in the header X-Api-Key or as "Authorization: Bearer KEY"; otherwise the answer is 401. The Host header must be 127.0.0.1 or localhost (421). There is no CORS.',
  },
  {
    topic: 'Proof of identity',
    decision:
      'GET /_control/proof/NONCE needs no key and shows that this service knows it, so that a client can ask before it sends the key on the same connection. NONCE is 32 random bytes in base64url. The answer is 204 with the header "Proof: PID HMAC": the process id of the service, and the HMAC-SHA256 in base64url, made with the key, of three lines without a line break at the end: NONCE, the IP:PORT that the connection leads to, and PID. Clients that do not ask work as well.',
  },
  { topic: 'Success status codes', decision: 'A create answers 201, everything else 200.' },
  {
    topic: 'Errors',
    decision:
      'The body is {"detail": "a sentence"} for 400, 401, 404, 405, 409, 413, 415, 421 and 500, and {"detail": [{"loc", "msg", "type"}]} for 422. 422 is for fields of a wrong shape or out of bounds, 400 for what contradicts something else and for bodies that are no JSON. Refused values are never repeated.',
  },
  {
    topic: 'Bodies',
    decision:
      'At most 1 MiB of JSON in UTF-8, nested at most 64 levels deep. Refused anywhere: the key __proto__, NUL characters, halves of Unicode characters, and whole numbers beyond 2^53. Unknown fields are ignored and not kept, except in Kubernetes objects, which are open.',
  },
  { topic: 'Rate limits', decision: 'There are none.' },
  {
    topic: 'Required fields of a create request',
    decision:
      'name and source; for repohost also integration_id, repo_url, repo_ref and graph_config_path; for external_docker also image_uri. secrets may be left out. For a listener compute_type and compute_id. Fields that belong to other sources are refused; null, "" and a false build_on_push count as not given.',
  },
  {
    topic: 'Read-only fields',
    decision:
      'The document says that clients cannot write them, so a request that sends one is refused (422); null is let through. The same holds for repo_commit_sha in a create request.',
  },
  {
    topic: 'Names',
    decision:
      'A deployment name has 1 to 255 characters and no control characters. It is taken (409) as long as a tracing project of that name exists; creating a deployment records one, and nothing removes it.',
  },
  {
    topic: 'Availability of sources',
    decision:
      'Started with --mode cloud, external_docker is refused; with --mode self-hosted all others are; by default every source is available. In self-hosted mode external_docker needs a listener_id as soon as there is a listener.',
  },
  {
    topic: 'Secrets',
    decision:
      'Values are dropped after validation, because nothing runs that would need them. Answers carry the names with empty values. Names must be unique and not empty. The client_secret of an OAuth provider is accepted and dropped.',
  },
  {
    topic: 'Lists',
    decision:
      'Newest first (created_at, then id, both descending). The default limit is 20 on all three lists. offset is where the next page starts; past the end the page is empty and offset is unchanged. A page may repeat a row after an insert. A parameter without a value counts as not given, one that is given twice is refused, unknown ones are ignored.',
  },
  {
    topic: 'Deployment filters',
    decision:
      'name_contains looks for a substring and ignores the case of A to Z. status, tag_value_ids and deployment_ids are comma separated and match if any item does. image_version matches exactly. All filters together must match.',
  },
  {
    topic: 'Revision filters',
    decision:
      'They are called status (comma separated) and remote_reconciled. A revision is remote reconciled if its deployment is.',
  },
  {
    topic: 'Remote reconciled',
    decision: 'A deployment is remote reconciled if it runs on a listener.',
  },
  {
    topic: 'Deployment status',
    decision:
      'AWAITING_DATABASE until the first revision is DEPLOYED, then READY. The other states are reached through development controls only.',
  },
  {
    topic: 'Revision status',
    decision:
      'CREATING, QUEUED, AWAITING_BUILD, BUILDING, AWAITING_DEPLOY, DEPLOYING, DEPLOYED, one step after the other; a build that cannot succeed ends in BUILD_FAILED. One revision of a deployment is built at a time; a newer push turns those that still wait into SKIPPED. active_revision_id changes only when a revision is DEPLOYED. status_message says why a revision failed and is an addition to the document.',
  },
  {
    topic: 'repo_ref',
    decision:
      'A branch as the remote is known to have it (refs/remotes/REMOTE/BRANCH of origin, else of the only remote), a tag as refs/tags/TAG, or a commit that one of these reaches. Local branches count only where there is no remote. Nothing is fetched. repo_commit_sha is filled in on create if the ref exists.',
  },
  {
    topic: 'build_on_push',
    decision:
      'A new revision is made when the ref moves in the registered clone, after a push from it or a fetch. With a tag it must be false.',
  },
  {
    topic: 'graph_config_path',
    decision: 'Relative to the top of the repository, with forward slashes, without "..". JSON, or YAML by its ending.',
  },
  {
    topic: 'image_uri and source_tarball_path',
    decision:
      'An image reference must be well-formed, and the image is not looked for. A tarball is a path in the folder "uploads" of the data folder; it is compressed with gzip and holds the config file, if the request names one. What does not fit ends in BUILD_FAILED.',
  },
  {
    topic: 'Listeners',
    decision:
      'compute_type must be k8s. compute_id is unique, as the service is one workspace (409). A listener_id of a deployment must exist, and its k8s_namespace must be one of the k8s_namespaces of the listener.',
  },
  {
    topic: 'Integrations',
    decision:
      'There is one, "This computer", with the registered git repositories. Both repository listings are the same. A remote that is a folder gives the owner "local".',
  },
  {
    topic: 'OAuth providers',
    decision:
      'The path names provider_id. Null and absent fields stay as they are. Providers come from development controls.',
  },
  {
    topic: 'Agent connections',
    decision: 'An agent that was never heard of has no connections; that is not an error.',
  },
  { topic: 'Events', decision: 'There are none: clients poll.' },
  { topic: 'Versioning', decision: 'The version is part of the path. There is no negotiation.' },
];
