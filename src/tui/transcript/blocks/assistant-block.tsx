import {memo, type ReactElement} from 'react';
import {BlockRows, type BlockProps} from './block-rows.tsx';
import {isSameBlock} from './same-block.ts';

/** An answer of the model. */
export const AssistantBlock = memo(function AssistantBlock({rows, isContinued}: BlockProps<'assistant'>): ReactElement {
	return <BlockRows rows={rows} isContinued={isContinued} label={() => ({before: 'Answer'})} />;
}, isSameBlock);
