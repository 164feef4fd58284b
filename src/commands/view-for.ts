import type {Env} from '../pod/home.ts';
import {createFullScreen} from '../tui/screen/full-screen.ts';
import {createPainter} from '../tui/terminal/compositor/painter.ts';
import {usesScrollRegions} from '../tui/terminal/compositor/scroll-regions.ts';
import type {CreateView} from '../tui/screen/view.ts';

/** How the screen is shown: in full, below what is on the terminal, or in lines for a screen reader. */
export type ViewKind = 'full' | 'inline' | 'spoken';

export type ViewWish = {readonly env: Env; readonly inline?: boolean | undefined; readonly screenReader?: boolean | undefined; readonly configured: boolean};

/** A screen reader is asked for by --screen-reader, `[screen] reader = true` or Ink's own INK_SCREEN_READER=true; `false` there overrides the configuration. */
export function viewKind({env, inline, screenReader, configured}: ViewWish): ViewKind {
	const inEnv = env['INK_SCREEN_READER'];
	const isSpoken = screenReader === true || inEnv === 'true' || (configured && inEnv !== 'false');
	if (isSpoken) return 'spoken';
	return inline === true ? 'inline' : 'full';
}

/** The view of a kind. What needs Ink at once is loaded here. */
export async function viewFor(kind: ViewKind, env: Env, scrollRegions: boolean | undefined): Promise<CreateView> {
	if (kind === 'spoken') return (await import('../tui/spoken/spoken-view.tsx')).createSpokenView;
	if (kind === 'inline') return (await import('../tui/render.tsx')).createInlineView;
	return options => createFullScreen(createPainter(options.stdout, {scrollRegions: usesScrollRegions(env, scrollRegions)}), options);
}
