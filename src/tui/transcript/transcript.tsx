import {Box, Text} from 'ink';
import {memo, type ReactElement} from 'react';
import type {VisibleRow} from './viewport.ts';

/** The rows of one screen, always `height` of them: what is not filled is blank, below the rows. Who draws decides when. */
export function TranscriptView({rows, height}: {readonly rows: readonly VisibleRow[]; readonly height: number}): ReactElement {
	const blanks = Array.from({length: Math.max(0, height - rows.length)}, (_, index) => `blank:${index}`);
	return (
		<Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
			{rows.map(({key, row, painted}) => <RowText key={key} ansi={painted ?? row.ansi} />)}
			{blanks.map(key => <Text key={key}> </Text>)}
		</Box>
	);
}

/** A frame costs React only the rows that changed. */
const RowText = memo(({ansi}: {readonly ansi: string}): ReactElement => <Text wrap="truncate">{ansi === '' ? ' ' : ansi}</Text>);
