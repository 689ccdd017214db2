/**
 * The decisions of this service where the API document is silent or says "not shown".
 * The OpenAPI description lists all of them.
 */
export const decisions: readonly { readonly topic: string; readonly decision: string }[] = [
  {
    topic: 'Nothing runs',
    decision:
      'No containers are started. A build from a repository is rehearsed: git resolves the ref in the registered clone, and the config file in that commit must be readable, and the files of all its graphs must exist. A missing module, or missing JavaScript in dist, build or out, is only a warning, because a package or the build may provide it. custom_url is returned as sent.',
  },
  {
    topic: 'Authentication',
    decision:
      'Every request except for a proof of identity sends the key in the header X-Api-Key or as "Authorization: Bearer KEY"; otherwise, the response is 401. The Host header must be 127.0.0.1 or localhost (421). There is no CORS.',
  },
  {
    topic: 'Proof of identity',
    decision:
      'GET /_control/proof/NONCE needs no key. It proves that this service knows the key, so a client can check this before it sends the key on the same connection. NONCE is 32 random bytes in base64url. The response is 204 with the header "Proof: PID HMAC": the process id of the service and an HMAC-SHA256 in base64url. The HMAC uses the key and covers three lines without a final line break: NONCE, the IP:PORT that the client is connected to, and PID. The proof is optional.',
  },
  { topic: 'Success status codes', decision: 'A create responds with 201, all other requests with 200.' },
  {
    topic: 'Errors',
    decision:
      'The body is {"detail": "a sentence"} for 400, 401, 404, 405, 409, 413, 415, 421, 500 and 507, and {"detail": [{"loc", "msg", "type"}]} for 422. 422 means that fields have the wrong type or are out of bounds. 400 means that fields contradict each other or existing data, or that the body is not JSON. 507 means that the disk is full and nothing was stored. Rejected values are never repeated.',
  },
  {
    topic: 'Bodies',
    decision:
      'At most 1 MiB of JSON in UTF-8, nested at most 64 levels deep. Rejected anywhere: the key __proto__, NUL characters, incomplete Unicode characters, and whole numbers beyond 2^53. Unknown fields are ignored and not stored, except in Kubernetes objects, which are open.',
  },
  { topic: 'Rate limits', decision: 'There are none.' },
  {
    topic: 'Required fields of a create request',
    decision:
      'name and source; for repohost also integration_id, repo_url, repo_ref and graph_config_path; for external_docker also image_uri. secrets is optional. A listener requires compute_type and compute_id. Fields for other sources are rejected; null, "" and a false build_on_push count as absent.',
  },
  {
    topic: 'Read-only fields',
    decision:
      'The document says that clients cannot write them, so a request that sends one is rejected (422); null is allowed. The same applies to repo_commit_sha in a create request.',
  },
  {
    topic: 'Names',
    decision:
      'A deployment name has 1 to 255 characters, not only blanks, and no control characters. It is taken (409) if a tracing project with that name exists. Creating a deployment records a tracing project, which is never removed.',
  },
  {
    topic: 'Availability of sources',
    decision:
      'All sources are available by default. With --mode cloud, external_docker is rejected; with --mode self-hosted, all others are. In self-hosted mode, external_docker requires a listener_id once a listener exists.',
  },
  {
    topic: 'Secrets',
    decision:
      'Values are dropped after validation, because nothing runs that needs them. Responses contain the names with empty values. Names must be unique and not empty. The client_secret of an OAuth provider is accepted and dropped.',
  },
  {
    topic: 'Lists',
    decision:
      'Newest first (created_at, then id, both descending). The default limit is 20 for all three lists. offset is where the next page starts; past the end, the page is empty and offset is unchanged. The largest offset is 2^53 - 1. A page may repeat a row after an insert. A parameter without a value counts as absent, a repeated parameter is rejected, and unknown parameters are ignored.',
  },
  {
    topic: 'Deployment filters',
    decision:
      'name_contains matches a substring and ignores the case of A to Z. status, tag_value_ids and deployment_ids are comma-separated and match if any item matches. image_version matches exactly. All filters must match.',
  },
  {
    topic: 'Revision filters',
    decision:
      'They are named status (comma-separated) and remote_reconciled. A revision is remote reconciled if its deployment is.',
  },
  {
    topic: 'Remote reconciled',
    decision: 'A deployment is remote reconciled if it runs on a listener.',
  },
  {
    topic: 'Deployment status',
    decision:
      'AWAITING_DATABASE until the first revision is DEPLOYED, then READY. Only development controls set other statuses.',
  },
  {
    topic: 'Revision status',
    decision:
      'CREATING, QUEUED, AWAITING_BUILD, BUILDING, AWAITING_DEPLOY, DEPLOYING, DEPLOYED, one after another. A build that cannot succeed ends in BUILD_FAILED. One revision of a deployment is built at a time; a newer push changes waiting revisions to SKIPPED. active_revision_id changes only when a revision is DEPLOYED. status_message says why a revision failed, or what its build warned of; the document does not have this field.',
  },
  {
    topic: 'repo_ref',
    decision:
      'A branch as of the last fetch or push (refs/remotes/REMOTE/BRANCH of origin, or of the only remote), a tag as refs/tags/TAG, or a commit that can be reached from one of them. Local branches count only without a remote. Nothing is fetched. repo_commit_sha is set on create if the ref exists.',
  },
  {
    topic: 'build_on_push',
    decision:
      'A new revision is created when the ref moves in the registered clone, after a push from it or a fetch. It must be false for a tag.',
  },
  {
    topic: 'graph_config_path',
    decision:
      'Relative to the top of the repository, with forward slashes and without "..". The file is JSON, or YAML if its name ends in .yaml or .yml.',
  },
  {
    topic: 'image_uri and source_tarball_path',
    decision:
      'An image reference must be well-formed, but the image need not exist. A tarball is a path in the folder "uploads" of the data folder; it is compressed with gzip and contains the config file, if the request names one. Anything else ends in BUILD_FAILED.',
  },
  {
    topic: 'Listeners',
    decision:
      "compute_type must be k8s. compute_id is unique, because the service is one workspace (409). The listener_id of a deployment must exist, and its k8s_namespace must be one of the listener's k8s_namespaces.",
  },
  {
    topic: 'Integrations',
    decision:
      'There is one, "This computer", with the registered git repositories. Both repository lists are the same. If a remote is a folder, the owner is "local".',
  },
  {
    topic: 'OAuth providers',
    decision:
      'The path contains the provider_id. An absent field stays unchanged. Null clears a field: a text becomes empty, uses_pkce false, and code_challenge_method null. A new data folder has a provider if the service is started with --sample; development controls create others.',
  },
  {
    topic: 'Agent connections',
    decision:
      'An unknown agent has no connections; this is not an error. With --sample, a new data folder has the agent "sample-agent".',
  },
  {
    topic: 'Damaged entries',
    decision:
      'An unreadable entry is listed with its id only; created_at is then an object with the reason. A request for that entry alone is answered with 500.',
  },
  { topic: 'Events', decision: 'There are none: clients poll.' },
  { topic: 'Versioning', decision: 'The version is part of the path. There is no negotiation.' },
];
