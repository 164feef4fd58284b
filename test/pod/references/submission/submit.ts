import {narrowOrigin, type Message, type Segment} from '../../../../src/pod/protocol.ts';
import {
	resolveSubmission,
	type Submission,
	type SubmissionOptions,
} from '../../../../src/pod/references/submission/submission.ts';
import type {Clock} from '../../../../src/worker/index.ts';
import type {TempProject} from '../../../helpers/temp-project.ts';

/** Resolves a draft, or a typed text. */
export function submit(
	project: TempProject,
	draft: string | readonly Segment[],
	options: Partial<SubmissionOptions> = {},
) {
	const segments = typeof draft === 'string' ? [{type: 'text', text: draft} as const] : draft;
	return resolveSubmission(segments, {
		scope: project.scope,
		clock: countingClock(),
		signal: new AbortController().signal,
		...options,
	});
}

/** Resolves a draft that must be accepted. */
export async function accepted(...args: Parameters<typeof submit>): Promise<Submission> {
	const result = await submit(...args);
	if (!result.ok) throw new Error(result.sentence);
	return result;
}

/** Returns the segments of a user item. */
export function segmentsOf(user: Message): Segment[] {
	const origin = narrowOrigin(user.origin);
	return origin?.kind === 'submit' ? origin.segments : [];
}

/** Returns the failure of each file ref of a user item in order, or `undefined` for an attached one. */
export function failures(user: Message): Array<string | undefined> {
	return segmentsOf(user).flatMap(segment =>
		segment.type === 'file_ref'
			? [segment.outcome !== undefined && 'failed' in segment.outcome ? segment.outcome.failed : undefined]
			: [],
	);
}

function countingClock(): Clock {
	let count = 0;
	return {id: () => `id${String((count += 1)).padStart(3, '0')}`, now: () => 0};
}
