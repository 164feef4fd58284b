import type {Env} from '../pod/home.ts';
import {createPainter} from '../tui/screen/painter.ts';
import {usesScrollRegions} from '../tui/screen/scroll-regions.ts';
import {createFullScreen} from '../tui/full-screen.ts';
import type {CreateView} from '../tui/view.ts';

/** How the screen is shown: in full, or by Ink alone, inline and for screen readers (INK_SCREEN_READER=true). */
export async function viewFor(env: Env, scrollRegions: boolean | undefined, inline: boolean): Promise<CreateView> {
	if (inline || env['INK_SCREEN_READER'] === 'true') {
		const {createInlineView} = await import('../tui/render.tsx');
		return createInlineView;
	}
	return options => createFullScreen(createPainter(options.stdout, {scrollRegions: usesScrollRegions(env, scrollRegions)}), options);
}
