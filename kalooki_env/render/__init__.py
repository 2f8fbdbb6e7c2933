"""What one seat sees: `view.SeatView` as plain values, `text.render_text` as text, `picture` drawn."""
