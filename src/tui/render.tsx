import type {ReactElement} from 'react';
import {App} from './app.tsx';
import {ErrorBoundary} from './screen/error-boundary.tsx';
import type {Layout} from './layout.ts';
import {ShownFrameContext, type ShownFrame} from './hooks/use-frame.ts';
import {ThemeContext} from './hooks/use-theme.ts';
import {createInlineViewOf, mountOnPainter, type Tree} from './screen/mount.ts';
import type {Painter} from './terminal/compositor/painter.ts';
import type {Mounted, MountOptions, View, ViewOptions} from './screen/view.ts';

/** The chat on a painter. */
export function mountOn(painter: Painter, options: MountOptions): Mounted {
	return mountOnPainter(painter, screenTree, options);
}

/** The chat below what is on the screen already. */
export function createInlineView(options: ViewOptions): View {
	return createInlineViewOf(screenTree, options);
}

const screenTree: Tree<Layout> = (shown, options) => <Screen shown={shown} {...options} />;

type ScreenProps = Pick<ViewOptions, 'theme' | 'onError'> & {readonly shown: ShownFrame};

/** The app with what its components read. */
export function Screen({shown, theme, onError}: ScreenProps): ReactElement {
	return (
		<ErrorBoundary onError={onError}>
			<ThemeContext value={theme}>
				<ShownFrameContext value={shown}>
					<App />
				</ShownFrameContext>
			</ThemeContext>
		</ErrorBoundary>
	);
}
