import type {BackgroundCommand, ChildStatus} from '../../../pod/protocol.ts';
import type {AppState} from '../../model/app-state.ts';
import {backgroundOf} from '../../model/selectors.ts';
import {childrenOf} from '../status/child-facts.ts';

/** An entry of the list: a child session, or a command in the background. */
export type TaskEntry =
	| {readonly kind: 'child'; readonly child: ChildStatus}
	| {readonly kind: 'command'; readonly command: BackgroundCommand};

/** Returns the children and the commands that run now. */
export function tasksOf(state: AppState): readonly TaskEntry[] {
	return [
		...childrenOf(state).map(child => ({kind: 'child', child}) as const),
		...backgroundOf(state).map(command => ({kind: 'command', command}) as const),
	];
}
