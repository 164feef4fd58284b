import type {ReactElement} from 'react';
import {App} from './app.tsx';
import {ErrorBoundary} from './screen/error-boundary.tsx';
import {ShownFrameContext} from './hooks/use-frame.ts';
import {ThemeContext} from './hooks/use-theme.ts';
import type {ScreenProps} from './screen/view.ts';
import {SpokenLogContext, type SpokenLog} from './spoken/spoken-transcript.tsx';

/** Renders the app with its contexts. `log` contains the texts for a screen reader. */
export function Screen({shown, theme, onError, log}: ScreenProps & {readonly log?: SpokenLog}): ReactElement {
	return (
		<ErrorBoundary onError={onError}>
			<ThemeContext value={theme}>
				<SpokenLogContext value={log}>
					<ShownFrameContext value={shown}>
						<App />
					</ShownFrameContext>
				</SpokenLogContext>
			</ThemeContext>
		</ErrorBoundary>
	);
}
