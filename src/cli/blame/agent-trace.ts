import {createHash, randomUUID} from 'node:crypto';
import type {BlamedLine} from '../../pod/index.ts';

export type LineRange = {readonly from: number; readonly to: number};

/** Lines of a file that have the same origin. `from` and `to` are counted from 1. */
export type BlamedRange = LineRange & {readonly lines: readonly BlamedLine[]; readonly origin: BlamedLine};

type Facts = {readonly commit?: string | undefined; readonly path: string};

/**
Returns an Agent Trace record (version 0.1.0) of a file. The ranges of a session and model are one conversation. All
other ranges are `unknown`, because a commit does not say whether a human wrote its lines. The format has no place for
the item of a call, so `metadata` has it.
*/
export function agentTrace(ranges: readonly BlamedRange[], {commit, path}: Facts, version: string): object {
	const groups = Map.groupBy(ranges, range => JSON.stringify(contributorOf(range)));
	return {
		version: '0.1.0',
		id: randomUUID(),
		timestamp: new Date().toISOString(),
		...(commit !== undefined && {vcs: {type: 'git', revision: commit}}),
		tool: {name: 'inkpod', version},
		files: [{path, conversations: [...groups.values()].map(conversationOf)}],
		metadata: {
			'dev.inkpod': {
				calls: ranges.flatMap(({from, to, origin}) =>
					origin.changes.map(({session, item, turn}) => ({from, to, session, item, turn})),
				),
			},
		},
	};
}

function conversationOf(ranges: readonly BlamedRange[]): object {
	const [first] = ranges;
	const {session, contributor} = first === undefined ? unknown : contributorOf(first);
	return {
		...(session !== undefined && {url: `inkpod:session/${session}`}),
		contributor,
		ranges: ranges.map(({from, to, lines}) => ({
			start_line: from,
			end_line: to,
			content_hash: `sha256:${hashOf(lines.map(({text}) => text).join('\n'))}`,
		})),
	};
}

type Contributor = {
	readonly session?: string;
	readonly contributor: {readonly type: string; readonly model_id?: string};
};

const unknown: Contributor = {contributor: {type: 'unknown'}};

function contributorOf({origin: {changes, isCertain}}: BlamedRange): Contributor {
	const [first] = changes;
	if (first === undefined || !isCertain) return unknown;
	const {session, model} = first;
	return {session, contributor: {type: 'ai', ...(model !== undefined && {model_id: model.slice(0, maxModel)})}};
}

function hashOf(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}

const maxModel = 250;
