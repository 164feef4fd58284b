import {Box, Text} from 'ink';
import type {ReactElement} from 'react';

/** The size of the small trees, which fit into any screen. */
const size = {width: 4, height: 2};

/** Shows nothing. */
export function NoRows(): ReactElement {
	return <Box flexDirection="column" {...size} />;
}

/** Shows two rows that are cut in the same way as the rows of the screen. */
export function TwoRows(): ReactElement {
	return (
		<Box flexDirection="column" {...size}>
			<Text wrap="truncate">a</Text>
			<Text wrap="truncate">b</Text>
		</Box>
	);
}
