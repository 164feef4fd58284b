import {visibleRowsOf} from '../geometry.ts';
import type {App} from '../app.ts';
import type {VisibleRow} from '../../rows/viewport/visible-rows.ts';
import {resourceFor} from '../runtime.ts';
import {toggleBlock, toggleGroup} from './scroll-view.ts';

/**
Opens the nearest folded block or group: the last one on the screen while the view follows the end, and otherwise the
first one. While what the key opened last is still on the screen, the key closes it again.
*/
export function expandNearest(app: App): void {
	const runtime = runtimeOf(app);
	const rows = visibleRowsOf(app);
	const last = runtime.opened;
	runtime.opened = undefined;
	if (last !== undefined && isOpen(app, last) && rows.some(({block}) => block.id === last.id)) {
		toggle(app, last);
		return;
	}
	const nearest = app.state.transcript.scroll.follow ? rows.toReversed() : rows;
	const found = nearest.map(row => foldedAt(app, row)).find(each => each !== undefined);
	if (found === undefined) return;
	toggle(app, found);
	runtime.opened = found;
}

/** A block, or the group that begins with it. */
type Foldable = {readonly id: string; readonly isGroup: boolean};

const runtimeOf = resourceFor((): {opened: Foldable | undefined} => ({opened: undefined}));

/** Returns what a row stands for if some of it is hidden. */
function foldedAt({state}: App, {row, block}: VisibleRow): Foldable | undefined {
	const {store} = state.transcript;
	if (store === undefined || (row.role !== 'head' && row.role !== 'group' && row.role !== 'more')) return undefined;
	const found = {id: block.id, isGroup: row.role === 'group'};
	if (found.isGroup) return store.isGroupOpen(block.id) ? undefined : found;
	return store.isDetailed(block.id) || !store.folds(block.kind) ? undefined : found;
}

function isOpen({state}: App, {id, isGroup}: Foldable): boolean {
	const {store} = state.transcript;
	return isGroup ? store?.isGroupOpen(id) === true : store?.isDetailed(id) === true;
}

function toggle(app: App, {id, isGroup}: Foldable): void {
	if (isGroup) toggleGroup(app, id);
	else toggleBlock(app, id);
}
