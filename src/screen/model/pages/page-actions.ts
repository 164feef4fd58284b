import type {
	BackgroundCommand,
	BackgroundOutput,
	SideQuestionAnswer,
	Ledger,
	LedgerRow,
	ModelInfo,
	NamedTheme,
	PermissionInfo,
	SettingInfo,
} from '../../../pod/protocol.ts';
import type {ContextChange} from './context-state.ts';
import type {ListState} from './list.ts';
import type {Field} from '../field-state.ts';
import type {ModelChoice} from './models-state.ts';
import type {Page} from './page-state.ts';
import type {Entry, Point, Undo} from './rewind-points.ts';

/** The actions that change pages. */
export type PageAction =
	| {readonly type: 'open page'; readonly page: Page}
	| {readonly type: 'close page'}
	/** Scrolls a text page to this row. */
	| {readonly type: 'scroll page'; readonly top: number}
	/** Chooses another entry of a list. */
	| {readonly type: 'choose on page'; readonly list: ListState}
	/** You pressed Esc once. A second Esc opens the rewind page. */
	| {readonly type: 'escape pressed'}
	| {readonly type: 'forget escape'}
	/** You pressed Esc twice. */
	| {readonly type: 'ask for rewind'}
	/**
	The session has grown, so the rewind page lists its messages again. `asOf` is in milliseconds since the epoch.
	*/
	| {readonly type: 'rewind listed'; readonly entries: readonly Entry[]; readonly asOf: number}
	| {readonly type: 'go back'; readonly point: Point}
	| {readonly type: 'undo rewind'; readonly undo: Undo}
	| {readonly type: 'fork before'; readonly point: Point}
	| {readonly type: 'ledger read'; readonly ledger: Ledger}
	| {readonly type: 'change context'; readonly change: ContextChange; readonly row: LedgerRow}
	| {readonly type: 'show in transcript'; readonly row: LedgerRow}
	| {readonly type: 'open output'; readonly command: BackgroundCommand}
	| {readonly type: 'close output'}
	/** `below` is the number of rows of the output below the page. */
	| {readonly type: 'scroll output'; readonly below: number}
	| {readonly type: 'output read'; readonly id: string; readonly output: BackgroundOutput}
	| {readonly type: 'stop task'; readonly id: string}
	/** The pod has returned the state of the side question on the page. */
	| {readonly type: 'side question read'; readonly answer: Exclude<SideQuestionAnswer, {readonly sentence: string}>}
	/** Keeps the side question as a session, or attaches its answer. */
	| {readonly type: 'side question step'; readonly op: 'keep' | 'attach'}
	/** `below` is the number of rows of the side question below the page. */
	| {readonly type: 'scroll side question'; readonly below: number}
	| {readonly type: 'permissions listed'; readonly permissions: readonly PermissionInfo[]}
	/** Asks whether to remove a rule, and removes it. */
	| {readonly type: 'remove permission'; readonly permission: PermissionInfo}
	| {readonly type: 'wake at end'; readonly id: string; readonly wakes: boolean}
	/** Stops a child session, or sets whether a turn begins at its end. */
	| {readonly type: 'stop child'; readonly id: string; readonly title: string}
	| {readonly type: 'wake after child'; readonly id: string; readonly title: string; readonly wakes: boolean}
	/** The pod has listed the models, with those of the servers on this machine. */
	| {readonly type: 'models listed'; readonly models: readonly ModelInfo[]}
	| {readonly type: 'write models query'; readonly query: Field}
	/** Shows another effort for a model on the page. */
	| {readonly type: 'set effort on page'; readonly choice: ModelChoice}
	| {readonly type: 'choose model'; readonly choice: ModelChoice}
	/** Saves the model as the default in the user's configuration. */
	| {readonly type: 'save model'; readonly choice: ModelChoice}
	/** Switches to the next effort of the current model. */
	| {readonly type: 'step effort'}
	/** The settings after a change. */
	| {readonly type: 'settings listed'; readonly settings: readonly SettingInfo[]}
	| {readonly type: 'write settings query'; readonly query: Field}
	/** Begins to edit a setting on the page, changes the new value, or stops. */
	| {readonly type: 'edit setting'; readonly setting: SettingInfo}
	| {readonly type: 'write setting'; readonly field: Field}
	| {readonly type: 'leave setting'}
	| {readonly type: 'save setting'; readonly setting: SettingInfo; readonly typed: string}
	/** The setting is not saved. */
	| {readonly type: 'setting refused'; readonly sentence: string}
	/** The settings contain another theme, which is used at once. */
	| {readonly type: 'theme saved'; readonly theme: NamedTheme}
	/** Shows a theme until you choose one or close the page. */
	| {readonly type: 'try theme'; readonly theme: NamedTheme}
	/** Uses and saves a theme. */
	| {readonly type: 'choose theme'; readonly theme: NamedTheme}
	/** Opens the page on which you enter a key. */
	| {readonly type: 'log in'}
	/** The key that you enter has another length. No action contains the key. */
	| {readonly type: 'write key'; readonly length: number}
	/** Chooses the provider of the key. `undefined` shows the list of providers. */
	| {readonly type: 'choose provider'; readonly provider: string | undefined}
	/** Checks and stores the key. */
	| {readonly type: 'send key'; readonly provider: string}
	/** The key is not stored. */
	| {readonly type: 'key refused'; readonly sentence: string};
