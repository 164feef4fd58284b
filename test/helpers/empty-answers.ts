import type {Queries} from '../../src/pod/protocol.ts';
import {eachQuery} from '../../src/pod/protocol/queries.ts';

/** The answers of a pod without a session. A test overrides the ones that it needs. */
export const emptyAnswers: Queries = {
	...eachQuery(name => async () => {
		throw new Error(`the pod of this test does not answer ${name}`);
	}),
	complete: async query => ({query, matches: [], indexing: false}),
	preflight: async segments => ({segments, refs: [], tokens: 0}),
	workflows: async () => [],
	mcp: async () => [],
	backgroundOutput: async () => undefined,
	ledger: async () => ({model: '', rows: [], totals: [], bytes: 0, tokens: 0}),
	stale: async () => [],
	filesSince: async () => [],
};
