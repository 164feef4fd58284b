import {Box, Text} from 'ink';
import type {AskView} from './card-view.ts';

type Props = {readonly view: AskView};

export function AskCard({view}: Props) {
	return (
		<Box flexDirection="column" flexShrink={0} height={view.rows.length}>
			{view.rows.map((row, index) => <Text key={index} wrap="truncate">{row === '' ? ' ' : row}</Text>)}
		</Box>
	);
}
