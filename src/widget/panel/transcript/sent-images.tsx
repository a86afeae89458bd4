import type { JSX } from 'preact';
import { drawThumbnail } from '../../images/draw-thumbnail.ts';
import type { SentImage } from '../../images/composed-image.ts';

/** The pictures that went with a message. */
export function SentImages({ images }: { readonly images: readonly SentImage[] }): JSX.Element {
  return (
    <ul class="sent-images">
      {images.map((image) => (
        <li key={image}>
          <canvas
            role="img"
            aria-label={image.name}
            ref={(canvas) => {
              if (canvas !== null) drawThumbnail(canvas, image);
            }}
          />
        </li>
      ))}
    </ul>
  );
}
