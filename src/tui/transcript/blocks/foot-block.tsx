import {memo, type ReactElement} from 'react';
import {footWords} from '../rows/foot.ts';
import {BlockRows, type BlockProps} from './block-rows.tsx';
import {isSameBlock} from './same-block.ts';

/** What a run used and how it ended. */
export const FootBlock = memo(function FootBlock({block, rows, isContinued}: BlockProps<'foot'>): ReactElement {
	return <BlockRows rows={rows} isContinued={isContinued} label={() => ({title: footWords(block)})} />;
}, isSameBlock);
