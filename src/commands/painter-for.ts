import type {Env} from '../pod/home.ts';
import {createPainter, type CreatePainter} from '../tui/screen/painter.ts';
import {usesScrollRegions} from '../tui/screen/scroll-regions.ts';

/** Who shows the screen: the compositor, or Ink where it has no screen of its own (`--inline`), and where the person says that a screen reader is there (INK_SCREEN_READER=true). */
export async function painterFor(env: Env, scrollRegions: boolean | undefined, inline: boolean): Promise<CreatePainter> {
	if (inline || env['INK_SCREEN_READER'] === 'true') {
		const {createInkPainter} = await import('../tui/app.tsx');
		return createInkPainter;
	}
	return ({stdout}) => createPainter(stdout, {scrollRegions: usesScrollRegions(env, scrollRegions)});
}
