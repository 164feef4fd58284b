import {memo, type ReactElement} from 'react';
import {BlockRows, isSameBlock, type BlockProps} from './block-rows.tsx';

/** A message of yours. */
export const UserBlock = memo(function UserBlock({rows, isContinued}: BlockProps<'user'>): ReactElement {
	return <BlockRows rows={rows} isContinued={isContinued} label={() => ({before: 'You'})} />;
}, isSameBlock);
