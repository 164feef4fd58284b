import {Screen} from './mount.tsx';
import type {Painter} from '../terminal/compositor/compositor.ts';
import {createInlineViewOf, mountOnPainter} from './mount.tsx';
import type {Mounted, MountOptions, View, ViewOptions} from './view.ts';

/** Shows the chat on a painter. */
export function mountChat(painter: Painter, options: MountOptions): Mounted {
	return mountOnPainter(Screen, painter, options);
}

/** Shows the chat below the current contents of the screen. */
export function createInlineView(options: ViewOptions): View {
	return createInlineViewOf(Screen, options);
}
