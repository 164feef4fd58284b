import {Box, useIsScreenReaderEnabled} from 'ink';
import type {ReactElement} from 'react';
import {useFrame} from '../hooks/use-frame.ts';
import {useRows} from '../hooks/use-frame.ts';
import type {Layout} from '../layout.ts';
import {SpokenTranscript} from '../spoken/spoken-transcript.tsx';
import {BlockView} from './block-view.tsx';
import {RowsView} from './block-view.tsx';
import {byBlock, isSameVisible, type VisibleBlock} from '../../rows/viewport/viewport.ts';
import {isSameList} from '../../../text/lines.ts';

/**
Shows the visible blocks, which end directly above the composer. A page, or the welcome of an empty session, begins at
the top instead.
*/
export function Transcript(): ReactElement {
	return useIsScreenReaderEnabled() ? <SpokenTranscript /> : <ShownTranscript />;
}

function ShownTranscript(): ReactElement {
	const height = useFrame(({transcriptHeight}) => transcriptHeight);
	const isCovered = useFrame(hasCover);
	return (
		<Box
			flexDirection="column"
			flexShrink={0}
			height={height}
			justifyContent={isCovered ? 'flex-start' : 'flex-end'}
		>
			{isCovered ? <Cover /> : <VisibleBlocks />}
		</Box>
	);
}

function VisibleBlocks(): ReactElement {
	const blocks = useVisibleBlocks();
	return (
		<>
			{blocks.map(({block, rows}) => (
				<BlockView key={block.id} block={block} rows={rows} />
			))}
		</>
	);
}

function Cover(): ReactElement {
	return <RowsView rows={useRows(({page, welcome}) => page ?? welcome)} />;
}

function hasCover({page, transcript}: Layout): boolean {
	return page !== undefined || transcript.rows.length === 0;
}

/** Returns the blocks on the screen with their visible rows. Returns the same array until a row looks different. */
function useVisibleBlocks(): readonly VisibleBlock[] {
	return useFrame(visibleBlocks, isSameBlocks);
}

function visibleBlocks({transcript}: Layout): readonly VisibleBlock[] {
	return byBlock(transcript.rows);
}

function isSameBlocks(one: readonly VisibleBlock[], other: readonly VisibleBlock[]): boolean {
	return isSameList(one, other, (left, right) => isSameVisible(left.rows, right.rows));
}
