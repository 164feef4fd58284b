import type {SessionUpdate} from '@agentclientprotocol/sdk';
import {nameOfItems, type Event, type Item, type Status} from '../pod/protocol.ts';

/** Reports the title, the context usage and the alerts of a session to the editor. */
type SessionFacts = {event(event: Event): void};

export function createSessionFacts(update: (update: SessionUpdate) => void): SessionFacts {
	let title = '';
	let [given, first] = ['', ''];
	let usage = '';
	let alerts = 0;

	/**
	Reports the title if it has changed. A title that the user gave the session has priority over the session's first
	words, until the user removes it.
	*/
	function findTitle(items: readonly Item[]): void {
		const renamed = items.findLast(item => item.type === 'title');
		if (renamed !== undefined) given = renamed.title;
		first = first === '' ? (nameOfItems(items) ?? '') : first;
		const next = shortTitle(given === '' ? first : given);
		if (next === '' || next === title) return;
		title = next;
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

	/**
	Shows an alert as a separate tool call, because an editor cannot show alerts. The tool call is not in the history.
	*/
	function tell(text: string, level: string): void {
		alerts += 1;
		const toolCallId = `alert:${alerts}`;
		const title = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
		const status = level === 'error' ? 'failed' : 'completed';
		update({sessionUpdate: 'tool_call', toolCallId, title, kind: 'other', status, _meta: {inkpod: {alert: level}}});
	}
}

function shortTitle(name: string): string {
	const title = name.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
	return title.length > maxTitle ? `${Array.from(title).slice(0, maxTitle).join('')}…` : title;
}

const maxTitle = 80;
