import type {PodClient, Segment} from '../../pod/protocol.ts';
import type {Editor} from '../initialize.ts';
import {permissionTexts} from '../texts.ts';

type Options = {
	readonly pod: Pick<PodClient, 'preflight'>;
	readonly editor: Editor;
	readonly signal: AbortSignal;
};

/**
Asks the user about each file that looks like a secret, and confirms the files that may be sent. Returns `undefined` if
the user cancelled.
*/
export async function withSecrets(
	segments: readonly Segment[],
	{pod, editor, signal}: Options,
): Promise<readonly Segment[] | undefined> {
	if (!segments.some(mayNameFile)) return segments;
	const forecast = await pod.preflight([...segments], signal);
	const confirmed = new Map<string, string>();
	for (const ref of forecast.refs) {
		if (ref.ok || ref.reason !== 'denied' || ref.real === undefined) continue;
		const outcome = await editor.ask(questionAbout(ref.real), signal);
		if (outcome?.outcome === 'cancelled' || signal.aborted) return undefined;
		if (outcome?.outcome === 'selected' && outcome.optionId === 'allow') confirmed.set(ref.ref.path, ref.real);
	}
	if (confirmed.size === 0) return segments;
	return forecast.segments.map((segment): Segment => {
		const real = segment.type === 'file_ref' ? confirmed.get(segment.path) : undefined;
		return segment.type === 'file_ref' && real !== undefined ? {...segment, confirmed: real} : segment;
	});
}

function mayNameFile(segment: Segment): boolean {
	return segment.type === 'file_ref'
		? segment.sent === undefined
		: segment.type === 'text' && segment.text.includes('@');
}

function questionAbout(path: string): Parameters<Editor['ask']>[0] {
	return {
		toolCall: {
			toolCallId: `secret:${crypto.randomUUID()}`,
			title: permissionTexts.secret(JSON.stringify(path)),
			kind: 'read',
			status: 'pending',
			locations: [{path}],
		},
		options: [
			{optionId: 'allow', name: permissionTexts.sendSecret, kind: 'allow_once'},
			{optionId: 'deny', name: permissionTexts.dontSend, kind: 'reject_once'},
		],
	};
}
