import type {PodClient, Queries} from '../../src/pod/protocol.ts';
import {eachQuery} from '../../src/pod/protocol/queries.ts';

/** The answers of a pod without a session. A test overrides the ones that it needs. */
export const emptyAnswers: Queries & Pick<PodClient, 'child'> = {
	...eachQuery(name => async () => {
		throw new Error(`the pod of this test does not answer ${name}`);
	}),
	complete: async query => ({query, matches: [], indexing: false}),
	preflight: async segments => ({segments, refs: [], tokens: 0}),
	used: async () => [],
	prompts: async query => ({query, prompts: [], total: 0}),
	namedPath: async () => undefined,
	workflows: async () => [],
	mcp: async () => [],
	permissions: async () => [],
	approvals: async () => [],
	models: async () => [],
	backgroundOutput: async () => undefined,
	keepImage: async () => ({ok: false, sentence: 'The clipboard contains no image.'}),
	ledger: async () => ({model: '', rows: [], totals: [], bytes: 0, tokens: 0}),
	stale: async () => [],
	filesSince: async () => [],
	changes: async () => ({files: [], moreFiles: 0, git: {kind: 'none'}}),
	spending: async () => ({models: []}),
	conversation: async () => ({items: []}),
	child: async () => ({ok: false, sentence: 'This pod has no children.'}),
	btw: async () => ({sentence: 'This pod answers no side questions.'}),
	request: async id => ({
		ok: true,
		request: {id, model: '', bytes: 0, pieces: [], hidden: 0, headPieces: 0, headers: []},
	}),
};
