import {t} from '../../../language/index.ts';
import type {ChildStatus} from '../../../pod/protocol.ts';
import type {AppState} from '../../model/app-state.ts';
import {statusOf} from '../../model/selectors.ts';
import {callWords} from './call-words.ts';
import {childTexts, elapsedTime, stepTexts} from './texts.ts';
import {formatCount} from '../../../text/formats.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import type {ChildItems} from '../../../transcript/block.ts';

/** Returns the child sessions that have not ended. */
export function childrenOf(state: AppState): readonly ChildStatus[] {
	return statusOf(state).children ?? [];
}

/** Returns what follows the title of a child without an end: what it does, its time, its tokens and its questions. */
export function liveFacts({started}: ChildItems, state: AppState): readonly string[] {
	const child = childrenOf(state).find(({id}) => id === started?.child);
	if (child !== undefined) return childWords(child, state.now);
	// The parent may still ask what to do with the changes of a child that has ended.
	const {kind, asks} = statusOf(state);
	return [kind === 'running' || asks.length > 0 ? childTexts.ended : childTexts.notRunning];
}

/** Returns what a child does, its time, its tokens, and whether it waits for the user. */
export function childWords(child: ChildStatus, now: number): readonly string[] {
	const {tokens, asks, since} = child;
	return [
		asks > 0 ? childTexts.asks : actionOf(child),
		elapsedTime(Math.max(0, Math.floor((now - since) / 1000))),
		...(tokens > 0 ? [t`${formatCount(tokens)} tokens`] : []),
	];
}

function actionOf({state, step = 'resolving', calls}: ChildStatus): string {
	if (state !== 'running') return childTexts[state];
	if (step !== 'tools') return stepTexts[step].text;
	return callWords(calls.map(({tool, subject}) => ({tool, object: sanitizeLine(subject)}))).text;
}
