import {Box, Text} from 'ink';
import type {ComposerView} from './composer-view.ts';

type Props = {
	/** What `viewComposer` made; its caret is for the app, which places the real cursor. */
	readonly view: ComposerView;
};

/** Shows the composer's rows, one Text a row. Keys come to it as actions, never through Ink. */
export function Composer({view}: Props) {
	return (
		<Box flexDirection="column" flexShrink={0} height={view.rows.length}>
			{view.rows.map((row, index) => <Text key={index} wrap="truncate">{row === '' ? ' ' : row}</Text>)}
		</Box>
	);
}
