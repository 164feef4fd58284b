import {memo, type ReactElement} from 'react';
import {compactionWords} from '../rows/compaction.ts';
import {BlockRows, isSameBlock, type BlockProps} from './block-rows.tsx';

/** The summary that took the place of older turns. */
export const CompactionBlock = memo(function CompactionBlock({block, rows, isContinued}: BlockProps<'compaction'>): ReactElement {
	return <BlockRows rows={rows} isContinued={isContinued} label={() => ({title: compactionWords(block)})} />;
}, isSameBlock);
