import type {BackgroundCommand, BackgroundOutput, Ledger, LedgerRow} from '../../pod/protocol.ts';
import type {ContextChange} from './context/context-state.ts';
import type {ListState} from './list.ts';
import type {Page} from './page-state.ts';
import type {Entry, Point, Undo} from './rewind/points.ts';

/** These actions change pages. */
export type PageAction =
	| {readonly type: 'open page'; readonly page: Page}
	| {readonly type: 'close page'}
	/** Scrolls a text page to this row. */
	| {readonly type: 'scroll page'; readonly top: number}
	/** Chooses another entry of a list. */
	| {readonly type: 'choose on page'; readonly list: ListState}
	/** You pressed Esc once; a second Esc opens the rewind page. */
	| {readonly type: 'escape pressed'}
	| {readonly type: 'forget escape'}
	/** You pressed Esc twice. */
	| {readonly type: 'ask for rewind'}
	/** The session has grown, so the rewind page lists it again. `asOf` is in milliseconds since the epoch. */
	| {readonly type: 'rewind listed'; readonly entries: readonly Entry[]; readonly asOf: number}
	| {readonly type: 'go back'; readonly point: Point}
	| {readonly type: 'undo rewind'; readonly undo: Undo}
	| {readonly type: 'fork before'; readonly point: Point}
	| {readonly type: 'ledger read'; readonly ledger: Ledger}
	| {readonly type: 'change context'; readonly change: ContextChange; readonly row: LedgerRow}
	| {readonly type: 'show in transcript'; readonly row: LedgerRow}
	| {readonly type: 'open output'; readonly command: BackgroundCommand}
	| {readonly type: 'close output'}
	/** `below` counts the rows of the output below the page. */
	| {readonly type: 'scroll output'; readonly below: number}
	| {readonly type: 'output read'; readonly id: string; readonly output: BackgroundOutput}
	| {readonly type: 'stop task'; readonly id: string};
