import {memo, type ReactElement} from 'react';
import {compactionWords} from '../rows/compaction.ts';
import {BlockRows, type BlockProps} from './block-rows.tsx';
import {isSameBlock} from './same-block.ts';

/** The summary that took the place of older turns. */
export const CompactionBlock = memo(function CompactionBlock({block, rows, isContinued}: BlockProps<'compaction'>): ReactElement {
	return <BlockRows rows={rows} isContinued={isContinued} label={() => ({title: compactionWords(block)})} />;
}, isSameBlock);
