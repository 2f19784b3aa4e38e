/** Apps beside GitHub Actions leave a suite each, often an empty one; every workflow has its own. */
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
 * Merged pull requests of a branch, a page of them, the last updated first. No lists of files: they are what makes such queries slow, and git has them.
 * Source: docs.github.com/graphql.
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

/** What a token must be allowed, by the field it is missing at. */
export const FIELDS = {
  checkSuites: 'checks: read',
  checkRuns: 'checks: read',
  workflowRun: 'actions: read',
  workflow: 'actions: read',
  status: 'statuses: read',
  mergeCommit: 'contents: read',
  commit: 'contents: read',
} as const;
