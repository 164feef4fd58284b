import {memo, type ReactElement} from 'react';
import {footWords} from '../rows/foot.ts';
import {BlockRows, isSameBlock, type BlockProps} from './block-rows.tsx';

/** What a run used and how it ended. */
export const FootBlock = memo(function FootBlock({block, rows, isContinued}: BlockProps<'foot'>): ReactElement {
	return <BlockRows rows={rows} isContinued={isContinued} label={() => ({title: footWords(block)})} />;
}, isSameBlock);
