import type {SessionUpdate} from '@agentclientprotocol/sdk';
import {asWritten, type Event, type Item, type PodClient, type Status} from '../pod/protocol.ts';

/** Reports the title, the use of the context, and alerts. */
type SessionFacts = {event(event: Event): void};

export function createSessionFacts(update: (update: SessionUpdate) => void): SessionFacts {
	let title: string | undefined;
	let usage = '';
	let alerts = 0;

	function findTitle(items: readonly Item[]): void {
		const first =
			title === undefined ? items.find(item => item.type === 'message' && item.role === 'user') : undefined;
		const words = first?.type === 'message' ? titleOf(first.text) : '';
		if (words === '') return;
		title = words;
		update({sessionUpdate: 'session_info_update', title});
	}

	function tellUsage({context}: Status): void {
		if (context?.window === undefined) return;
		const {tokens: used, window: size, cost} = context;
		const next: SessionUpdate = {
			sessionUpdate: 'usage_update',
			used,
			size,
			...(cost !== undefined && {cost: {amount: cost.usd, currency: 'USD'}}),
		};
		const text = JSON.stringify(next);
		if (text !== usage) update(next);
		usage = text;
	}

	return {
		event(event) {
			if (event.type === 'snapshot') findTitle(event.items);
			if (event.type === 'item') findTitle([event.item]);
			if ('status' in event) tellUsage(event.status);
			if (event.type === 'alert' && event.alert.level !== 'info') tell(event.alert.text, event.alert.level);
		},
	};

	/** An editor cannot show alerts, so an alert is a separate row. It is not in the history. */
	function tell(text: string, level: string): void {
		alerts += 1;
		const toolCallId = `alert:${alerts}`;
		const title = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
		const status = level === 'error' ? 'failed' : 'completed';
		update({sessionUpdate: 'tool_call', toolCallId, title, kind: 'other', status, _meta: {inkpod: {alert: level}}});
	}
}

/** Tells an editor the commands of a session: its workflows. */
export async function tellCommands(
	pod: Pick<PodClient, 'workflows'>,
	update: (update: SessionUpdate) => void,
): Promise<void> {
	const workflows = await pod.workflows();
	update({
		sessionUpdate: 'available_commands_update',
		availableCommands: workflows
			.filter(({userInvocable, error}) => userInvocable && error === undefined)
			.map(({slug, description}) => ({name: slug, description, input: {hint: 'arguments'}})),
	});
}

function titleOf(text: string): string {
	const words = asWritten(text.slice(0, 1000))
		.replaceAll(/[\s\p{Cc}]+/gu, ' ')
		.trim();
	return words.length > maxTitle ? `${Array.from(words).slice(0, maxTitle).join('')}…` : words;
}

const maxTitle = 80;
