import type {Env} from '../../pod/first-frame.ts';
import {createFullScreen} from '../../screen/mount/full-screen.ts';
import {createPainter} from '../../screen/terminal/compositor/compositor.ts';
import {usesScrollRegions} from '../../screen/terminal/compositor/row-change.ts';
import type {CreateView, Frame, Views} from '../../screen/mount/view.ts';
import {isDumb} from '../../screen/terminal/ink-stdout.ts';
import type {VimKeys} from '../../screen/model/app-state.ts';

/** How the chat is shown: full screen, inline below the prompt of the shell, or as lines for a screen reader. */
export type ViewKind = 'full' | 'inline' | 'spoken';

type ViewOptions = {
	readonly env: Env;
	readonly inline?: boolean | undefined;
	readonly screenReader?: boolean | undefined;
	readonly configured: boolean;
};

/**
Tells which view to use. --screen-reader, `[screen] reader = true` or Ink's own INK_SCREEN_READER=true turn the screen
reader view on. `false` in that variable overrides the configuration. A terminal without control sequences can use only
this view.
*/
export function viewKind({env, inline, screenReader, configured}: ViewOptions): ViewKind {
	const inEnv = env['INK_SCREEN_READER'];
	const isSpoken = screenReader === true || inEnv === 'true' || (configured && inEnv !== 'false') || isDumb(env);
	if (isSpoken) return 'spoken';
	return inline === true ? 'inline' : 'full';
}

/**
Tells whether the sign of a running turn stays still. INKPOD_REDUCED_MOTION overrides the configuration: with `0`,
`false` and `no` the sign moves, with every other value it stays still.
*/
export function isStill({env, configured}: Pick<ViewOptions, 'env' | 'configured'>): boolean {
	const inEnv = env['INKPOD_REDUCED_MOTION']?.trim().toLowerCase();
	return inEnv === undefined || inEnv === '' ? configured : !['0', 'false', 'no'].includes(inEnv);
}

/** The views of the chat. */
export const chatViews: Views = {
	full: createFullScreen,
	inline: async () => (await import('../../screen/mount/show-chat.ts')).createInlineView,
	spoken: async () => (await import('../../screen/mount/spoken-view.ts')).createSpokenView,
};

/** Loads the code for vim keys, if the composer uses them. */
export async function loadVim({vim}: {readonly vim: boolean}): Promise<VimKeys | undefined> {
	return vim ? import('../../screen/editor/vim/index.ts') : undefined;
}

/** The options that determine how a view uses the terminal. */
type TerminalOptions = {readonly env: Env; readonly scrollRegions: boolean | undefined};

/** Loads the view of a kind. Ink is loaded here only if the view uses Ink from its first frame. */
export async function loadView<Of extends Frame>(
	kind: ViewKind,
	views: Views<Of>,
	{env, scrollRegions}: TerminalOptions,
): Promise<CreateView<Of>> {
	if (kind !== 'full') return views[kind]();
	const regions = {scrollRegions: usesScrollRegions(env, scrollRegions)};
	return options => views.full(createPainter(options.stdout, regions), options);
}
