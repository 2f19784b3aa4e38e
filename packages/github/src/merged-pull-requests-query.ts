/** Every app besides GitHub Actions creates a suite, often an empty one, and every workflow has its own. */
const SUITES = 10;
const RUNS = 40;

const CHECKS = `
  oid
  committedDate
  authoredDate
  messageHeadline
  parents { totalCount }
  status { contexts { context state createdAt } }
  checkSuites(first: ${SUITES}) {
    totalCount
    nodes {
      workflowRun { event workflow { name } }
      checkRuns(first: ${RUNS}, filterBy: { checkType: ALL }) {
        totalCount
        nodes { name startedAt completedAt conclusion }
      }
    }
  }`;

/**
 * Queries one page of a branch's merged pull requests, last updated first. Without lists of files, which make such queries slow and which
 * git has. Source: docs.github.com/graphql.
 */
export const MERGED_PULL_REQUESTS = `
query MergedPullRequests($owner: String!, $repo: String!, $branch: String!, $size: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    pullRequests(states: MERGED, baseRefName: $branch, first: $size, after: $after, orderBy: { field: UPDATED_AT, direction: DESC }) {
      pageInfo { hasNextPage endCursor }
      nodes {
        url
        isDraft
        createdAt
        updatedAt
        mergedAt
        author { __typename login }
        reviews(states: APPROVED, last: 20) { nodes { submittedAt commit { oid } } }
        timelineItems(last: 20, itemTypes: [READY_FOR_REVIEW_EVENT]) { nodes { ... on ReadyForReviewEvent { createdAt } } }
        commits(last: 1) { totalCount nodes { commit { ...Checks } } }
        mergeCommit { ...Checks }
      }
    }
  }
}
fragment Checks on Commit {${CHECKS}
}`;

/** The permission that a token needs, by the field at which it is missing. */
export const FIELDS = {
  checkSuites: 'checks: read',
  checkRuns: 'checks: read',
  workflowRun: 'actions: read',
  workflow: 'actions: read',
  status: 'statuses: read',
  mergeCommit: 'contents: read',
  commit: 'contents: read',
} as const;
