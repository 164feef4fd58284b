import {memo, type ReactElement} from 'react';
import {BlockRows, type BlockProps} from './block-rows.tsx';
import {isSameBlock} from './same-block.ts';

/** One row about the session. */
export const NoticeBlock = memo(function NoticeBlock({rows, isContinued}: BlockProps<'notice'>): ReactElement {
	return <BlockRows rows={rows} isContinued={isContinued} label={() => ({before: 'Notice'})} />;
}, isSameBlock);
