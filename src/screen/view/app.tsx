import {Box, useIsScreenReaderEnabled} from 'ink';
import type {ReactElement} from 'react';
import {cardLabelOf} from './card/card-facts.ts';
import {Composer} from './region.tsx';
import {useCaret} from './hooks/use-frame.ts';
import {useFrame} from './hooks/use-frame.ts';
import type {Layout} from './layout.ts';
import {Region} from './region.tsx';
import {SearchBar} from './search/search-bar.tsx';
import {StatusLine} from './status/status-line.tsx';
import {Transcript} from './transcript/transcript.tsx';

/**
Renders the screen from top to bottom. For a screen reader the status is above the message, which is at the bottom. The
transcript then includes the alerts, and there are no rules.
*/
export function App(): ReactElement {
	const isSpoken = useIsScreenReaderEnabled();
	const columns = useFrame(({size}) => size.columns);
	const rows = useFrame(({size}) => size.rows);
	return (
		<Box flexDirection="column" width={columns} height={rows}>
			<Transcript />
			{isSpoken ? null : <Region of={({pill}) => pill} />}
			{isSpoken ? null : <Region of={({alerts}) => alerts} />}
			<Region of={({tasks}) => tasks} />
			<Region of={({queue}) => queue} />
			{isSpoken ? null : <Region of={({cardRule}) => cardRule} />}
			<Card />
			{isSpoken ? <StatusLine /> : <Region of={({rule}) => rule} />}
			<Region of={({above}) => above.hint} />
			<SearchBar />
			<Region of={({above}) => above.promptHistory} />
			<Region of={({above}) => above.opener} />
			<Region of={({above}) => above.completion} />
			<Region of={({above}) => above.preflight} />
			<Composer />
			{isSpoken ? null : <StatusLine />}
			<Caret />
		</Box>
	);
}

/** Shows the open question: a title, the detail and the choices. */
function Card(): ReactElement {
	return <Region label={useFrame(({state}) => cardLabelOf(state))} of={({card}) => card?.rows} />;
}

/** Sets the position of the terminal's cursor. */
function Caret(): null {
	useCaret(useFrame(caretOf, isSamePlace));
	return null;
}

function caretOf({cursor, size}: Layout): Layout['cursor'] {
	return {x: cursor.x, y: Math.min(cursor.y, size.rows - 1)};
}

function isSamePlace(one: Layout['cursor'], other: Layout['cursor']): boolean {
	return one.x === other.x && one.y === other.y;
}
