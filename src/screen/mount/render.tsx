import type {ReactElement} from 'react';
import {App} from '../view/app.tsx';
import {ErrorBoundary} from './error-boundary.tsx';
import {ShownFrameContext, useFrame} from '../view/hooks/use-frame.ts';
import {ThemeContext} from '../view/hooks/use-theme.ts';
import type {ScreenProps} from './view.ts';
import type {Theme} from '../spans/theme.ts';
import {SpokenLogContext, type SpokenLog} from '../view/spoken/spoken-transcript.tsx';

/** Renders the app with its contexts. `log` contains the texts for a screen reader. */
export function Screen({shown, theme, onError, log}: ScreenProps & {readonly log?: SpokenLog}): ReactElement {
	return (
		<ErrorBoundary onError={onError}>
			<SpokenLogContext value={log}>
				<ShownFrameContext value={shown}>
					<Themed theme={theme} />
				</ShownFrameContext>
			</SpokenLogContext>
		</ErrorBoundary>
	);
}

/** Renders the app in the chosen theme, for the background of the terminal. */
function Themed({theme}: {readonly theme: Theme}): ReactElement {
	return (
		<ThemeContext
			value={theme.on(
				useFrame(({state}) => state.terminal.ground),
				useFrame(({state}) => state.display.theme),
			)}
		>
			<App />
		</ThemeContext>
	);
}
