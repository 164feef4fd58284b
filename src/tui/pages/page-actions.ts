import type {BackgroundCommand, BackgroundOutput, Ledger, LedgerRow} from '../../pod/protocol.ts';
import type {ContextChange} from './context/context-state.ts';
import type {ListState} from './list.ts';
import type {Page} from './page-state.ts';
import type {Entry, Point, Undo} from './rewind/points.ts';

/** What happens to pages. */
export type PageAction =
	| {readonly type: 'open page'; readonly page: Page}
	| {readonly type: 'close page'}
	/** A text page scrolls to this row. */
	| {readonly type: 'scroll page'; readonly top: number}
	/** A page with a list has another entry chosen. */
	| {readonly type: 'choose on page'; readonly list: ListState}
	/** Esc was pressed where a second one opens the rewind page. */
	| {readonly type: 'escape pressed'}
	| {readonly type: 'forget escape'}
	/** Esc was pressed twice. */
	| {readonly type: 'ask for rewind'}
	/** The session has grown, and the rewind page lists it again. `asOf`: milliseconds since the epoch. */
	| {readonly type: 'rewind listed'; readonly entries: readonly Entry[]; readonly asOf: number}
	| {readonly type: 'go back'; readonly point: Point}
	| {readonly type: 'undo rewind'; readonly undo: Undo}
	| {readonly type: 'fork before'; readonly point: Point}
	| {readonly type: 'ledger read'; readonly ledger: Ledger}
	| {readonly type: 'change context'; readonly change: ContextChange; readonly row: LedgerRow}
	| {readonly type: 'show in transcript'; readonly row: LedgerRow}
	| {readonly type: 'open output'; readonly command: BackgroundCommand}
	| {readonly type: 'close output'}
	/** `below`: how many rows of the output are below the page. */
	| {readonly type: 'scroll output'; readonly below: number}
	| {readonly type: 'output read'; readonly id: string; readonly output: BackgroundOutput}
	| {readonly type: 'stop task'; readonly id: string};
