import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import type {Row} from '../text/row.ts';
import {spokenLines} from '../text/spoken.ts';

type SpokenRowsProps = {
	readonly rows: readonly Row[];
	readonly label?: string | undefined;
	/** Whether what is before the text of a row is said, too. */
	readonly whole?: boolean;
};

/** Rows as lines for a screen reader: a label before the first one, and which entry of a list is chosen. */
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
