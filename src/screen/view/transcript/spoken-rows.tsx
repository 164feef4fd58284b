import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import type {Row} from '../../spans/row.ts';
import {spokenLines} from '../../spans/spoken.ts';

type SpokenRowsProps = {
	readonly rows: readonly Row[];
	readonly label?: string | undefined;
	/** Whether the text before a row is read too. */
	readonly whole?: boolean;
};

/**
Shows rows as lines for a screen reader. A label precedes the first line, and the chosen entry of a list is marked.
*/
export function SpokenRows({rows, label, whole}: SpokenRowsProps): ReactElement | null {
	const lines = spokenLines(rows, whole);
	if (lines.length === 0) return null;
	return (
		<Box flexDirection="column">
			{lines.map(({text, isChosen}, index) => (
				<Box key={index} aria-state={{selected: isChosen}}>
					<Text>{index === 0 && label !== undefined ? `${label}: ${text}` : text}</Text>
				</Box>
			))}
		</Box>
	);
}
