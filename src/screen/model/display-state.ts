import type {NamedTheme, ThemeChoice} from '../../pod/protocol.ts';

/** The choices of the user about how the screen looks. */
export type DisplayState = {
	/** The theme that you chose or try on the page of themes, if it is not that of the start. */
	readonly theme: ThemeChoice | undefined;
	/** The name of the theme that you chose on this screen. */
	readonly themeName: string | undefined;
	/** Whether diffs show the old and the new text side by side, if there is room. */
	readonly isSplit: boolean;
	/** Whether the list of tasks is expanded. */
	readonly isTaskListOpen: boolean;
};

export type DisplayAction =
	/** Shows a theme until you choose one or close the page. */
	| {readonly type: 'try theme'; readonly theme: NamedTheme}
	/** The settings contain another theme, which is used at once. */
	| {readonly type: 'theme saved'; readonly theme: NamedTheme}
	/** Uses and saves a theme. */
	| {readonly type: 'choose theme'; readonly theme: NamedTheme}
	| {readonly type: 'split diffs'; readonly isSplit: boolean}
	/** Expands the list of tasks, or collapses it. */
	| {readonly type: 'toggle task list'};

export const initialDisplay: DisplayState = {
	theme: undefined,
	themeName: undefined,
	isSplit: false,
	isTaskListOpen: false,
};

export function reduceDisplay(display: DisplayState, action: DisplayAction): DisplayState {
	switch (action.type) {
		case 'try theme':
			return {...display, theme: action.theme.theme};
		case 'theme saved':
		case 'choose theme':
			return {...display, theme: action.theme.theme, themeName: action.theme.name};
		case 'split diffs':
			return {...display, isSplit: action.isSplit};
		case 'toggle task list':
			return {...display, isTaskListOpen: !display.isTaskListOpen};
		default:
			return action satisfies never;
	}
}
