"""What is checked while a confirmed plan is carried out."""
