import {memo, type ReactElement} from 'react';
import {BlockRows, type BlockProps} from './block-rows.tsx';
import {isSameBlock} from './same-block.ts';

/** A message of yours. */
export const UserBlock = memo(function UserBlock({rows, isContinued}: BlockProps<'user'>): ReactElement {
	return <BlockRows rows={rows} isContinued={isContinued} label={() => ({before: 'You'})} />;
}, isSameBlock);
